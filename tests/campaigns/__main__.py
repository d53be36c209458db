"""Run campaigns and write what came of them::

    python -m paludarium.tests.campaigns                     # all, long form; records results and writes docs/reliability.md
    python -m paludarium.tests.campaigns --share 0.1 soak    # one of them with a tenth of its count; only prints
    python -m paludarium.tests.campaigns --page              # runs nothing; writes the page of what is recorded
"""

from __future__ import annotations

import argparse
import sys

from . import page
from .plan import CAMPAIGNS, SEED


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m paludarium.tests.campaigns")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CAMPAIGNS)}")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--share", type=float, default=1.0, help="of the long form's counts")
    parser.add_argument("--write", action="store_true", help="record the results even if this is not all of it")
    parser.add_argument("--page", action="store_true", help="run nothing; write docs/reliability.md of what is recorded")
    wanted = parser.parse_args(words)
    unknown = [name for name in wanted.names if name not in CAMPAIGNS]
    if unknown:
        parser.error(f"no campaign is called {unknown[0]!r}")
    if wanted.page:
        page.write()
        return 0
    recorded, failed = wanted.write or (not wanted.names and wanted.share == 1.0), False
    for name in wanted.names or CAMPAIGNS:
        campaign = CAMPAIGNS[name]
        count = max(int(wanted.share * campaign.long), 1)
        report = campaign.run(wanted.seed, count)
        print(report, flush=True)
        failed = failed or bool(report.failed)
        if recorded:
            page.save(page.with_run(page.load(), page.run_of(report, count)))
            page.write()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
