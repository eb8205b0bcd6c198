"""The retry-safety matrix of a declared step table: what each kind of fault leads to at each step.

Start with `modelled.py` (from a declaration to scenarios) and `cells.py` (from schedules to verdicts).
"""
