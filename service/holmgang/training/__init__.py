"""The games as PettingZoo environments, for people who train agents (docs/pages/how-to/train.md).

They need the extra `pettingzoo`.
"""

from importlib.util import find_spec

if find_spec("pettingzoo") is None:
    raise ImportError("The environments need PettingZoo: pip install 'holmgang[pettingzoo]'")

from .environment import HolmgangEnv, holmgang_env  # the lines above say why it may not be there

__all__ = ["HolmgangEnv", "holmgang_env"]
