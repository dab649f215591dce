"""The games as PettingZoo environments, for people who train agents (docs/pages/how-to/train.md).

`env`, `raw_env` and `parallel_env` are as PettingZoo's own modules have them, with the game as first argument. They
need the extra `pettingzoo`.
"""

from importlib.util import find_spec

if find_spec("pettingzoo") is None:
    raise ImportError("The environments need PettingZoo: pip install 'holmgang[pettingzoo]'")

from .environment import HolmgangEnv, env  # the lines above say why it may not be there
from .parallel import HolmgangParallelEnv

raw_env = HolmgangEnv
parallel_env = HolmgangParallelEnv
holmgang_env = env
"""Its name before there were `raw_env` and `parallel_env`."""

__all__ = ["HolmgangEnv", "HolmgangParallelEnv", "env", "holmgang_env", "parallel_env", "raw_env"]
