load 'style.gp'
load 'tuner.gp'
set title 'Configurations to measure for 0.95 of the optimum, median of searches'
variants = 'random forest annealing genetic local guided'
groups = search_groups('tuner_guided')
@points_x
set logscale y
set ylabel 'configurations measured'
plot [] [1:*] for [i = 1:6] pick('place, samples', 'tuner_guided_needs', "samples > 0 AND variant = '" \
         . word(variants, i) . "'") \
         using (bar($1, i, 6)):2 with points linestyle i pointsize 1.1 title word("random 'IterML, forest' " \
         . "annealing genetic 'local search' 'guided by a forest'", i)
