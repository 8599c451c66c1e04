"""A ReFrame check that runs any experiment of the manifests (ReFrame 4, https://reframe-hpc.readthedocs.io).

    reframe -c run/reframe/datamotion_check.py -n 'datamotion.*pinning_copy' -r
    reframe -c run/reframe/datamotion_check.py -S datamotion.scale=full -S datamotion.compare_with=results/nvidia-h200 -r

One test per experiment; -L lists them. On one node add --exec-policy=serial: what is measured beside something else is
disturbed. An experiment whose needs the node does not meet is skipped with the reason. With compare_with, run/regress
compares the results with that recorded machine, and something slower fails the test. Performance variables are the
geometric mean of the medians of each variant, for ReFrame's own logs and references.

DATAMOTION_ROOT: the tree, built there, if it is not the one that holds this file.
"""
import csv
import gzip
import json
import math
import os
import statistics
import subprocess

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import parameter, run_after, run_before, sanity_function, variable

ROOT = os.environ.get('DATAMOTION_ROOT') or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCALES = ('smoke', 'small', 'full')


def manifest(*words):
    return subprocess.run([os.path.join(ROOT, 'run', 'manifest'), *words], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True, cwd=ROOT).stdout.strip()


@rfm.simple_test
class datamotion(rfm.RunOnlyRegressionTest):
    experiment = parameter(manifest('ids').split())
    scale = variable(str, value='small')
    gpu = variable(str, value=os.environ.get('GPU', 'soft'))
    compare_with = variable(str, value='')

    valid_systems = ['*']
    valid_prog_environs = ['*']
    sourcesdir = None
    exclusive_access = True

    def show(self, field):
        return manifest('show', self.experiment, field)

    def command(self, experiment):
        return [os.path.join(ROOT, 'run', 'experiment'), '--scale', self.scale, '--gpu', self.gpu,
                '--results', 'results', experiment]

    # Those whose results the experiment reads, as words @ID of its arguments; each after what it reads itself.
    def read_before(self, experiment):
        found = []
        for word in manifest('show', experiment, self.scale).split():
            if word.startswith('@'):
                found += self.read_before(word[1:]) + [word[1:]]
        return found

    @run_after('init')
    def describe(self):
        if self.scale not in SCALES:
            raise ValueError(f'the scale {self.scale!r} is none of {SCALES}')
        ranks, gpus = int(self.show('ranks')), int(self.show('gpus'))
        minutes = float(self.show('minutes').split('/')[SCALES.index(self.scale)])
        self.descr = f'datamotion experiment {self.experiment} at scale {self.scale}'
        self.num_tasks = ranks
        if self.gpu == 'cuda' and gpus:
            self.num_gpus_per_node = gpus
        self.time_limit = f'{max(10, math.ceil(minutes * 5) + 5)}m'
        self.executable, *self.executable_opts = self.command(self.experiment)
        self.prerun_cmds = [' '.join(self.command(other)) for other in self.read_before(self.experiment)]
        if self.compare_with:
            recorded = os.path.join(ROOT, self.compare_with)
            regress = os.path.join(ROOT, 'run', 'regress')
            self.postrun_cmds = [f'{regress} --again 0 --junit regress.xml results {recorded}',
                                 'echo "regress ended with $?"']

    # run/experiment starts the ranks by itself, with the options that they need.
    @run_before('run')
    def launch_alone(self):
        self.job.launcher = getlauncher('local')()

    def document(self):
        with open(os.path.join(self.stagedir, 'results', self.experiment + '.json')) as file:
            return json.load(file)

    @run_before('sanity')
    def skip_waived(self):
        if os.path.exists(os.path.join(self.stagedir, 'results', self.experiment + '.json')):
            document = self.document()
            self.skip_if(document['status'] == 'WAIVED', document.get('reason') or 'waived')

    @sanity_function
    def measured_and_not_slower(self):
        checks = [sn.assert_true(os.path.exists(os.path.join(self.stagedir, 'results', self.experiment + '.json')),
                                 msg='the experiment left no result')]
        if self.compare_with:
            # 2: nothing of this experiment is recorded there.
            checks.append(sn.assert_found(r'^regress ended with [02]$', self.stdout, msg='run/regress found something slower, or failed'))
        return sn.all(checks)

    # The median over repetitions of each configuration, by variant.
    def medians(self):
        path = os.path.join(self.stagedir, 'results', self.experiment + '.csv')
        times = {}
        with open(path, newline='') if os.path.exists(path) else gzip.open(path + '.gz', 'rt', newline='') as file:
            parameters = [column['name'] for column in self.document()['columns'] if column['kind'] == 'parameter']
            for row in csv.DictReader(file):
                if row['status'] == 'pass' and float(row['time_s'] or 0) > 0:
                    key = (row['variant'], *(row[name] for name in parameters))
                    times.setdefault(key, []).append(float(row['time_s']))
        medians = {}
        for key, samples in times.items():
            medians.setdefault(key[0], []).append(statistics.median(samples))
        return medians

    @run_before('performance')
    def set_performance(self):
        def mean_of(values):
            return sn.make_performance_function(
                sn.defer(math.exp(sum(map(math.log, values)) / len(values))), 's')

        self.perf_variables = {variant: mean_of(values) for variant, values in self.medians().items()}
