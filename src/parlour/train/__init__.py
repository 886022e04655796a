"""Tables to learn at: thousands of hands a step in NumPy, and the same games as PettingZoo environments.

`HoldemVector`, `KuhnVector` and `LeducVector` need NumPy alone; `holdem_env`, `kuhn_env` and `leduc_env` need the extra
`train`. Nothing is imported before it is asked for.
"""

from __future__ import annotations

from parlour.lazy import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from parlour.train.aec import holdem_env as holdem_env
    from parlour.train.aec import kuhn_env as kuhn_env
    from parlour.train.aec import leduc_env as leduc_env
    from parlour.train.holdem import HoldemVector as HoldemVector
    from parlour.train.small import KuhnVector as KuhnVector
    from parlour.train.small import LeducVector as LeducVector
    from parlour.train.vector import Vector as Vector

_HOMES = {
    "aec": ("holdem_env", "kuhn_env", "leduc_env"),
    "holdem": ("HoldemVector",),
    "small": ("KuhnVector", "LeducVector"),
    "vector": ("Vector",),
}
__getattr__, __dir__, __all__ = names_of(__name__, globals(), _HOMES)
