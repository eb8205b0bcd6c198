"""The reference executor: runs the steps of a table so that no restart, lost answer or second worker
repeats one.

Record the intent, then call; uncertain means query first. Start with `runner.py` (what one calls),
`machine.py` (what happens to a step) and `states.py` (the arrows).
"""
