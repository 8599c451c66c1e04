#!/usr/bin/env python3
"""Searches of Kernel Tuner (PyPI: kernel_tuner) on recorded times, in its simulation mode.

Usage: kernel_tuner_searches.py TABLE BENCHMARK SEARCHES SEED TRIALS STRATEGY...

TABLE is a result of tuner_examples (.csv or .csv.gz), of which the rows of BENCHMARK count: each is a configuration,
all others are restrictions to the search. TRIALS are numbers of different configurations, separated by commas. Prints
for each strategy and search a line: the strategy, least time of all / least time found after each number of trials
(0: none was found), and the seconds that it took. Exit code 2: Kernel Tuner is not installed.
"""
import contextlib
import csv
import gzip
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
import warnings

PARAMETERS_AFTER, PARAMETERS_BEFORE = "rep", "outcome"
LIMIT_S = 20  # some strategies do not end in small spaces


def read_table(path, benchmark):
    """Names of the parameters, and the time in ms of each configuration, None where it was not ok."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["variant"] == benchmark]
    if not rows:
        sys.exit(f"{path} has no rows of {benchmark}")
    columns = list(rows[0])
    between = columns[columns.index(PARAMETERS_AFTER) + 1 : columns.index(PARAMETERS_BEFORE)]
    names = [name for name in between if len({row[name] for row in rows}) > 1]
    times = {}
    for row in rows:
        key = tuple(int(row[name]) for name in names)
        times[key] = 1e3 * float(row["time_s"]) if row["outcome"] == "ok" else None
    return names, times


def write_cache(path, benchmark, names, times):
    """The file from which Kernel Tuner simulates."""
    values = {name: sorted({key[i] for key in times}) for i, name in enumerate(names)}
    cache = {}
    for key, time_ms in times.items():
        cache[",".join(map(str, key))] = {
            **dict(zip(names, key)),
            "time": "RuntimeFailedConfig" if time_ms is None else time_ms,
            **({"__error__": "RuntimeFailedConfig"} if time_ms is None else {}),
            "compile_time": 0.0, "verification_time": 0.0, "benchmark_time": 0.0, "strategy_time": 0.0,
            "framework_time": 0.0, "timestamp": "1970-01-01 00:00:00",
        }
    with open(path, "w") as file:
        json.dump({"device_name": "recorded", "kernel_name": benchmark, "problem_size": 1,
                   "tune_params_keys": names, "tune_params": values, "objective": "time", "cache": cache}, file)
    return values


def give_up(*_):
    raise TimeoutError(f"it takes more than {LIMIT_S} s of a core")


def search(job):
    """One search: the best after each number of trials, or why there is none."""
    import kernel_tuner
    import numpy

    strategy, seed, table = job
    names, times, values, cache, benchmark, trials = table
    random.seed(seed)
    numpy.random.seed(seed)
    start_s = time.perf_counter()

    def is_recorded(parameters):
        return tuple(parameters[name] for name in names) in times

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    try:
        with open(os.devnull, "w") as null, contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
            warnings.simplefilter("ignore")
            results, _ = kernel_tuner.tune_kernel(
                benchmark, "", 1, [], dict(values), restrictions=is_recorded,
                simulation_mode=True, cache=cache, quiet=True, lang="C", strategy=strategy, seed=seed,
                strategy_options={"max_fevals": max(trials)})
    except Exception as error:  # pylint: disable=broad-except
        return strategy, f"{type(error).__name__}: {error}".replace("\n", " ")[:200]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    elapsed_s = time.perf_counter() - start_s
    order = list(dict.fromkeys(tuple(int(result[n]) for n in names) for result in results if result))
    least = min(time_ms for time_ms in times.values() if time_ms is not None)
    found = []
    for count in trials:
        known = [times[key] for key in order[:count] if times.get(key) is not None]
        found.append(least / min(known) if known else 0.0)
    return strategy, found + [elapsed_s]


def main():
    path, benchmark, searches, seed, trials, *strategies = sys.argv[1:]
    try:
        import kernel_tuner  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
    except ImportError as error:
        print(f"Kernel Tuner is not installed ({error}); python3 -m pip install kernel_tuner")
        sys.exit(2)
    names, times = read_table(path, benchmark)
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "cache.json")
        values = write_cache(cache, benchmark, names, times)
        table = (names, times, values, cache, benchmark, [int(count) for count in trials.split(",")])
        jobs = [(strategy, int(seed) + i, table) for strategy in strategies for i in range(int(searches))]
        with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool:
            for strategy, found in pool.imap(search, jobs):
                print(strategy, found if isinstance(found, str) else " ".join(f"{best:.9f}" for best in found), flush=True)


if __name__ == "__main__":
    main()
