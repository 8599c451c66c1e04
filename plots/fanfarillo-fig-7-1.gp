load 'style.gp'
set title 'SUMMA by memory of its coarrays (thesis: K20)'
# Those with a GPU for each image are in no figure.
variants = 'caf-pin caf-um caf-device mpi-pinned mpi'
times(v) = judged('coarrays_summa_best', 'images', "variant = '" . v . "' AND experiment IN (SELECT id FROM " \
    . "experiments WHERE figures = 'fanfarillo-fig-7-1')")
set logscale x 2; set yrange [0:*]
@linear_seconds_y
set xlabel 'images'
set ylabel 'time of a product'
plot [0.9:*] for [i = 1:5] times(word(variants, i)) with yerrorlines linestyle i title word(variants, i)
