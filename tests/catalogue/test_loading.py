"""The catalogue is read piece by piece, when it is asked."""

import subprocess
import sys
import time

from stepcheck.catalogue import aws
from stepcheck.catalogue.call_table import packages
from stepcheck.catalogue.calls import known


def test_asking_about_one_package_reads_no_table_of_another() -> None:
    program = """
import pathlib, sys
read = pathlib.Path.read_text
opened = []
pathlib.Path.read_text = lambda self, *rest, **more: opened.append(self.name) or read(self, *rest, **more)
from stepcheck.catalogue.calls import known
known("requests.get")
heavy = {"libcst", "pydantic", "yaml", "sqlglot", "jsonschema"} & set(sys.modules)
print(sorted(opened), sorted(heavy))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['aliases.toml', 'requests.toml'] []"


def test_a_package_without_a_table_costs_no_reading() -> None:
    assert "numpy" not in packages()
    assert known("numpy.array") is None


def test_every_line_of_the_models_of_aws_is_read() -> None:
    lines = {
        service: aws.operation(service, method)
        for service, method in (("accessanalyzer", "get_analyzer"), ("xray", "get_trace_graph"))
    }
    assert all(lines.values())
    assert len(aws.services("tag_resource")) > 50


def test_questions_are_cheap() -> None:
    known("requests.post"), known("?client.post")
    began = time.process_time()
    for _ in range(2000):
        known("requests.post")
        known("?foo.bar")
        known("os.path.join")
    assert time.process_time() - began < 2
