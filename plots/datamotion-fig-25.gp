load 'style.gp'
load 'tuner.gp'
@two_panels
variants = 'random annealing genetic local auto'
names = "random annealing genetic 'local search' auto"
kernel(i) = word('matmul stencil', i)
found(where, i) = judged('tuner_found', 'trials', where . " AND benchmark = '" . kernel(i) . "'")
set logscale x
set xtics (10, 20, 50, 100, 200)
set xlabel 'trials'
do for [p = 1:2] {
    set title word("'Matrix product: least time / time found' 'Stencil'", p)
    plot [9:230] [0.5:1.02] for [i = 1:5] found("variant = '" . word(variants, i) . "'", p) with yerrorlines \
        linestyle i title p == 1 ? word(names, i) : '', found('best', p) with yerrorlines linestyle 6 \
        title p == 1 ? 'Kernel Tuner, its best' : ''
}
