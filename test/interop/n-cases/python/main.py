"""
Runs cases, several at a time, and tells of each as a JSON line: held, or the reason why it is not.

Its arguments are a folder of modules and a JSON object: addresses of hubs by name, and the cases to run (none: all).
Asks for the restart of a hub by a line and reads the new address from standard input.
"""

import asyncio
import json
import logging
import sys
import traceback

sys.path.insert(0, sys.argv[1])

import channels  # noqa: E402
import delivery  # noqa: E402
import people  # noqa: E402
import registration  # noqa: E402
import rules  # noqa: E402
import tasks  # noqa: E402
import network_tools  # noqa: E402
import restarts  # noqa: E402
from lines import say  # noqa: E402
from world import World  # noqa: E402

AREAS = (registration, channels, network_tools, people, rules, delivery, tasks, restarts)
# Cases under way at one time.
WIDTH = 8
# Longest time for one case, in seconds.
CASE_SECONDS = 60.0


def all_cases() -> dict[str, object]:
    return {name: check for area in AREAS for name, check in vars(area).items() if name.startswith("n_")}


async def ask_restart(hub: str, lock: asyncio.Lock) -> str:
    async with lock:
        say({"restart": hub})
        answer = json.loads(await asyncio.to_thread(sys.stdin.readline))
        return answer["url"]


async def run_case(name: str, check: object, hubs: dict[str, str], lock: asyncio.Lock) -> None:
    world = World(name, hubs, lambda hub: ask_restart(hub, lock))
    try:
        await asyncio.wait_for(check(world), CASE_SECONDS)
        say({"case": name, "ok": True})
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in reversed(where) if frame.name == name), 0)
        say({"case": name, "ok": False, "error": f"line {line}: {type(error).__name__}: {error}"})
    finally:
        await world.close()


def kills_a_hub(check: object) -> bool:
    """Such cases run one by one, when the others are over."""
    return check.__module__ == "restarts" or "durable" in check.__code__.co_consts


async def main(hubs: dict[str, str], only: list[str]) -> None:
    cases = all_cases()
    lock, gate = asyncio.Lock(), asyncio.Semaphore(WIDTH)
    durable = {name for name, check in cases.items() if kills_a_hub(check)}

    async def together(name: str) -> None:
        async with gate:
            await run_case(name, cases[name], hubs, lock)

    chosen = only or list(cases)
    await asyncio.gather(*(together(name) for name in chosen if name not in durable))
    for name in [name for name in chosen if name in durable]:
        await run_case(name, cases[name], hubs, lock)
    say({"over": True})


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.CRITICAL)
    options = json.loads(sys.argv[2])
    asyncio.run(main(options["hubs"], options.get("only", [])))
