"""AG2's graphs and folds, as values."""

import dataclasses
from typing import Any

from ag2.network import ChannelMetadata, Envelope, transitions
from ag2.network.client.hub_client import HubClient

CONDITIONS = {cls.name: cls for cls in transitions._BUILTIN_CONDITIONS}
TARGETS = {cls.name: cls for cls in transitions._BUILTIN_TARGETS}


def build_graph(description: dict[str, Any]) -> transitions.TransitionGraph:
    """Builds a graph out of AG2's own classes."""
    Graph = transitions.TransitionGraph
    if "sequence" in description:
        return Graph.sequence(description["sequence"])
    if "round_robin" in description:
        return Graph.round_robin(description["round_robin"], max_turns=description.get("max_turns"))
    return Graph(
        initial_speaker=description["initial_speaker"],
        transitions=[
            transitions.Transition(
                when=CONDITIONS[when](*when_args), then=TARGETS[then](*then_args), priority=priority
            )
            for when, when_args, then, then_args, priority in description["rules"]
        ],
        default_target=TARGETS[description["default"][0]](*description["default"][1]),
        max_turns=description.get("max_turns"),
    )


def fold_at_every_position(hub_client: HubClient, metadata: ChannelMetadata, wal: list[Envelope]) -> list[dict[str, Any]]:
    """States of a channel: before the first envelope, and after each."""
    adapter = hub_client.adapter_for_metadata(metadata)
    state = adapter.initial_state(metadata)
    states = [dataclasses.asdict(state)]
    for envelope in wal:
        state = adapter.fold(envelope, state)
        states.append(dataclasses.asdict(state))
    return states
