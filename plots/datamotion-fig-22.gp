load 'style.gp'
load 'tuner.gp'
set title 'Configurations to measure for 0.95 of the optimum, median of searches without settings'
variants = 'random annealing genetic local auto'
groups = search_groups('tuner_auto')
@points_x
set logscale y
set ylabel 'configurations measured'
plot [] [1:*] for [i = 1:5] pick('place, samples, low, high', 'tuner_auto_needs', \
    "samples > 0 AND variant = '" . word(variants, i) . "'") \
         using (bar($1, i, 5)):2:3:4 with yerrorbars linestyle i pointsize 1.1 title word("random annealing genetic " \
         . "'local search' auto", i)
