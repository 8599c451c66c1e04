load 'style.gp'
set title 'SUMMA by memory of its coarrays (thesis: K20, 4096 x 4096)'
# At the largest order with the best width of a panel. Those with a GPU for each image are in no figure.
variants = 'caf-pin caf-um caf-device mpi-pinned mpi'
all = runs_of("program = 'coarrays_summa' AND figures = 'fanfarillo-fig-7-1'")
times(v) = pick('images, min(time_s), time_low_s, time_high_s', all, "variant = '" . v \
    . "' AND [order] = (SELECT max([order]) FROM " . all . ') GROUP BY images')
set logscale x 2; set yrange [0:*]
@linear_seconds_y
set xlabel 'images'
set ylabel 'time of a product'
plot [0.9:*] for [i = 1:5] times(word(variants, i)) with yerrorlines linestyle i title word(variants, i)
