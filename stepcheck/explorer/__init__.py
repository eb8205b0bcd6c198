"""The explorer: runs the executor's own machines through every schedule of faults, and judges what is left.

Start with `scenario.py` (what is explored), `drive.py` (how a run goes), `oracle.py` (what must hold at its
end) and `demonstrations/` (the harm of each kind of mistake).
"""
