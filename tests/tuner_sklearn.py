"""Usage: tuner_sklearn.py POINTS.csv RESULTS.csv...

Fits scikit-learn to the points that tuner_models wrote (--write) as its results (--csv) say, and compares R^2 on the
points that were not samples, in the mean over repetitions (seeds). Exit code 1 if one differs by more than 0.01. The perceptron is left out: FANN trains by
another method.
"""

import csv
import itertools
import statistics
import sys

import numpy
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import r2_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor

TOLERANCE = 0.01

# By variant: which columns (x as they are, s scaled) and a model for a seed.
MODELS = {
    "cart": ("x", lambda seed: DecisionTreeRegressor(random_state=seed)),
    "knn": ("x", lambda seed: KNeighborsRegressor()),
    "svm": ("x", lambda seed: SVR(gamma="auto")),
    "forest": ("x", lambda seed: RandomForestRegressor(random_state=seed)),
    "svm-scaled": ("s", lambda seed: SVR(gamma="scale")),
}


def read(path):
    with open(path, newline="", encoding="ascii") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def matrix(points, prefix):
    names = [name for name in points[0] if name[0] == prefix]
    return numpy.array([[numpy.float32(point[name]) for name in names] for point in points])


def expected_r2(points, variant, samples, seeds):
    prefix, create = MODELS[variant]
    rows = matrix(points, prefix)
    # Single precision like ours: sums are exact then, and noise does not decide between equally good splits.
    targets = numpy.array([float(numpy.float32(point["target"])) for point in points])
    scores = []
    for seed in range(seeds):
        model = create(seed).fit(rows[:samples], targets[:samples])
        scores.append(r2_score(targets[samples:], model.predict(rows[samples:])))
    return statistics.mean(scores)


def main(points_path, *results_paths):
    points = read(points_path)
    results = {}
    for row in itertools.chain(*map(read, results_paths)):
        results.setdefault((row["variant"], int(row["samples"])), []).append(float(row["r2"]))
    wrong = 0
    for (variant, samples), scores in results.items():
        if variant not in MODELS:
            continue
        ours, theirs = statistics.mean(scores), expected_r2(points, variant, samples, len(scores))
        differs = abs(ours - theirs) > TOLERANCE
        wrong += differs
        print(f"{variant} samples={samples} r2={ours:.4f} scikit-learn={theirs:.4f}{' DIFFERS' if differs else ''}")
    missing = set(MODELS) - {variant for variant, _ in results}
    if missing:
        print("no results of", ", ".join(sorted(missing)))
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
