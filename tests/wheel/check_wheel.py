"""Install a wheel into an environment of its own and compare what it holds with the checkout.

python tests/wheel/check_wheel.py dist/stepcheck-*.whl rules
"""

import json
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path


def check(wheel: Path, rules: Path) -> None:
    pages = {page.name: page.read_bytes() for page in rules.glob("*.md")}
    with zipfile.ZipFile(wheel) as archive:
        packed = {
            Path(name).name: archive.read(name)
            for name in archive.namelist()
            if name.startswith("stepcheck/pages/")
        }
        assert packed == pages, f"pages differ: {sorted(packed.keys() ^ pages.keys())}"
        assert "stepcheck/py.typed" in archive.namelist(), "py.typed is not in the wheel"
        tables = [name for name in archive.namelist() if name.endswith(".toml") and "/catalogue/" in name]
        assert tables, "the catalogue is not in the wheel"
        for name in tables:
            compiled = json.loads(archive.read(name.removesuffix("toml") + "json"))
            assert compiled == tomllib.loads(archive.read(name).decode()), f"{name} and its JSON differ"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", f"{folder}/env"], check=True)
        python = f"{folder}/env/bin/python"
        subprocess.run([python, "-m", "pip", "install", "-q", str(wheel.resolve())], check=True)

        def stepcheck(*arguments: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [f"{folder}/env/bin/stepcheck", *arguments],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )

        listed = {row["name"] for row in json.loads(stepcheck("rules", "--output-format", "json").stdout)}
        assert {f"{name}.md" for name in listed} == pages.keys(), (
            "rules and pages differ in the installed wheel"
        )
        for name in sorted(listed):
            run = stepcheck("explain", name, "--output-format", "markdown")
            assert run.stdout.encode() == pages[f"{name}.md"], (
                f"explain {name} differs from its page: {run.stderr}"
            )
        Path(folder, "table.yaml").write_text("steps:\n  pay: {call: shop.pay, query: shop.find}\n", "utf-8")
        run = stepcheck("check", "--output-format", "concise", "table.yaml")
        assert run.returncode == 1 and "undeclared-effect" in run.stdout, run.stdout + run.stderr
        run = stepcheck("check", "--output-format", "html", "table.yaml")
        assert run.returncode == 1 and "<h2>The steps</h2>" in run.stdout, run.stderr
        run = stepcheck("handbook", "site")
        assert run.returncode == 2 and "pip install 'stepcheck[docs]'" in run.stderr, run.stdout + run.stderr
        subprocess.run([python, "-m", "pip", "install", "-q", f"{wheel.resolve()}[docs]"], check=True)
        run = stepcheck("handbook", "site")
        written = {f"{path.stem}.md" for path in Path(folder, "site", "rules").glob("*.html")}
        assert run.returncode == 0 and written == pages.keys(), run.stderr
    print(f"{wheel.name}: {len(pages)} pages, installed, run")


if __name__ == "__main__":
    check(Path(sys.argv[1]), Path(sys.argv[2]))
