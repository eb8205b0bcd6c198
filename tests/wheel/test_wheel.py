import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_wheel_carries_every_page_and_runs_by_itself(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    run = subprocess.run(
        [sys.executable, str(ROOT / "tests/wheel/check_wheel.py"), str(wheel), str(ROOT / "rules")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
