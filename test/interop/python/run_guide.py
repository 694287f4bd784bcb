"""
Runs the Python of the guide: takes the code from its fences, defines it, and calls what it defines.

Arguments: the guide, and the address of a hub with keys and one without, and a name with its key.
"""

import asyncio
import logging
import re
import sys
from pathlib import Path

from lines import say
from script import Script


async def main(guide: str, open_url: str, keyed_url: str, name: str, key: str) -> None:
    fences = re.findall(r"```python\n(.*?)```", Path(guide).read_text(), re.DOTALL)
    code: dict = {}
    for fence in fences:
        exec(compile(fence, guide, "exec"), code)
    say({"fences": len(fences)})
    say({"answer": await code["ask_over_the_hub"](open_url, Script(["two per wall"]))})

    first = await code["HubClient"](code["WsLink"](open_url)).open()
    carl = await first.register(code["Agent"]("carl"))
    await first.close()
    hub, back = await code["come_back"](open_url, "carl", Script([]))
    say({"same": back.agent_id == carl.agent_id})
    await hub.close()

    hub, agent = await code["register_with_key"](keyed_url, name, key)
    say({"scheme": (await hub.get_agent(name)).auth.scheme, "name": agent.passport.name})
    await hub.close()
    try:
        await code["register_with_key"](keyed_url, f"{name}-2", "not the key")
    except Exception as error:
        say({"refused": type(error).__name__})
    say({"over": True})


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.CRITICAL)
    asyncio.run(main(*sys.argv[1:]))
