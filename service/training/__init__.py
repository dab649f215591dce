"""The games as PettingZoo environments, for people who train agents (docs/training.md).

They need the extra `pettingzoo`.
"""

from .environment import HolmgangEnv, holmgang_env

__all__ = ["HolmgangEnv", "holmgang_env"]
