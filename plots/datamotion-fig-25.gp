load 'style.gp'
load 'tuner.gp'
@two_panels
variants = 'random annealing genetic local auto'
names = "random annealing genetic 'local search' auto"
kernel(i) = word('matmul stencil', i)
found(where, i) = judged('tuner_found', 'trials', where . " AND benchmark = '" . kernel(i) . "'")
set logscale x
numbers = fetch("SELECT group_concat(trials, ' ') FROM (SELECT DISTINCT trials FROM tuner_found " \
    . "WHERE trials <> 150 ORDER BY trials)") # whose label would touch that of 200
first = 0.9 * word(numbers, 1)
last = 1.15 * word(numbers, words(numbers))
set xtics ()
set for [t in numbers] xtics add (t t + 0)
set xlabel 'trials'
do for [p = 1:2] {
    set title word("'Matrix product: least time / time found' 'Stencil'", p)
    plot [first:last] [0.5:1.02] for [i = 1:5] found("variant = '" . word(variants, i) . "'", p) with yerrorlines \
        linestyle i title p == 1 ? word(names, i) : '', found('best', p) with yerrorlines linestyle 6 \
        title p == 1 ? 'Kernel Tuner, its best' : ''
}
