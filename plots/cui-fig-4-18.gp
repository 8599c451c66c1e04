load 'style.gp'
load 'blp.gp'
# cui-fig-4-19 sets these: the experiment, and the claims whose numbers are drawn.
if (!exists('experiment')) {
    experiment = 'blp_datasets'; link = 'NVLink2'
    of_async = "('conv2d', 'cui-c-148'), ('conv3d', 'cui-c-158'), ('gemm', 'cui-c-162'), ('fdtd2d', 'cui-c-170'), " \
        . "('atax', 'cui-c-177')"
    of_blp = "('conv2d', 'cui-c-147'), ('conv3d', 'cui-c-157'), ('gemm', 'cui-c-163'), ('fdtd2d', 'cui-c-171'), " \
        . "('atax', 'cui-c-178')"
}
set title 'All versions, speedup over sync' . (link eq 'PCI-E' ? ', ' . partner_fact('device0_name') : '')
if (link eq 'PCI-E') { @second_node }
variants = 'async um um-prefetch blp'
groups = workload_groups(of(experiment, 'blp_fastest'))
# The number itself, after a bound if there is one.
claimed(list) = q("SELECT min(nth_group), v FROM (SELECT benchmark, nth_group, CAST(ltrim(substr(thesis_value, " \
    . "instr(thesis_value, '|') + 1), '<> ') AS REAL) AS v FROM (VALUES " . list . ') JOIN claims ON id = column2 ' \
    . 'JOIN ' . placed(of(experiment, 'blp_gain')) . ' ON benchmark = column1) GROUP BY benchmark')
@groups_x
set ylabel 'time of sync / time'
plot [] [0:] for [i = 1:4] over_sync(experiment, word(variants, i)) using (bar($1, i, \
    4)):2:3:4:(bar_width(4)) @measured_bars linestyle i title i == 1 ? 'async, best' : word(variants, i), \
     for [i = 1:2] claimed(i == 1 ? of_async : of_blp) using (bar($1, 3*i-2, 4)):2:(bar_width(4)) @published_bars \
     title i == 1 ? 'thesis, ' . link . ': async, blp' : '', 1 linestyle 8 title 'sync'
