"""Fuzzing led by coverage, with atheris: `make fuzz`, or `python -m tests.fuzz.run --seconds 600`.

Each target has a process of its own, in which every line of the service counts. What fails, or takes longer than ten
seconds, is written to `tests/fuzz/kept/<target>`, where an ordinary test tries it from then on.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz.mutating import mutated

KEPT = Path(__file__).parent / "kept"
TARGETS = ("actions", "records")
SLOWEST_S = 10


def mutator(target: str) -> object:
    """Changes JSON as JSON most of the time, so that what is tried is not all refused by the first bracket."""
    import atheris

    from tests.unit.records import forged

    def change(data: bytes, max_size: int, seed: int) -> bytes:
        rng = random.Random(seed)
        head, line, text = data.partition(b"\n") if target == "actions" else (b"", b"", data)
        if rng.random() < 0.8:
            try:
                value = mutated(json.loads(text), rng)
                if target == "records" and isinstance(value, dict) and rng.random() < 0.5:
                    value = forged(value)  # so that it is not found out by its hashes alone
                changed = json.dumps(value).encode()
            except (ValueError, RecursionError):
                changed = None  # it was no JSON, or is none that Python would write
            if changed is not None and len(head) + 1 + len(changed) <= max_size:
                return head + line + changed
        mutation: bytes = atheris.Mutate(data, len(data))
        return mutation

    return change


def fuzz(target: str, corpus: Path, seconds: int) -> None:
    """Never returns: the fuzzer ends the process."""
    import atheris

    with atheris.instrument_imports(include=["holmgang"], enable_loader_override=False):
        from tests.fuzz import targets

    for number, seed in enumerate(targets.seeds(target)):
        (corpus / f"seed-{number}").write_bytes(seed)
    largest = max(path.stat().st_size for path in corpus.iterdir())
    (KEPT / target).mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        f"-timeout={SLOWEST_S}",
        f"-artifact_prefix={KEPT / target}/",
        f"-max_len={largest * 2}",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], targets.TARGETS[target], custom_mutator=mutator(target))
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--target", choices=TARGETS)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as corpus:
        if wanted.target is not None:
            fuzz(wanted.target, Path(corpus), wanted.seconds)
    failed = False
    for target in TARGETS:
        print(f"{target}: {wanted.seconds} s", flush=True)
        command = [sys.executable, "-m", "tests.fuzz.run", "--target", target, "--seconds", str(wanted.seconds)]
        failed |= subprocess.run(command).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
