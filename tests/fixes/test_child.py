"""The process that runs libcst."""

import subprocess
import sys

import pytest

from stepcheck.fixes.child import MEMORY


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_the_process_bounds_its_memory_before_it_looks_at_source() -> None:
    asked = (
        "import resource; from stepcheck.fixes import child; child.main(); "
        "print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    )
    done = subprocess.run([sys.executable, "-c", asked], input=b"[]", capture_output=True, check=True)
    assert done.stdout.decode() == f"[]{MEMORY}\n"
