load 'style.gp'
load 'tuner.gp'
traced = "variant = '%s' AND cut_ratio = 0.5 AND pick_ratio = (SELECT max(pick_ratio) FROM tuner_trace)"
set title fetch("SELECT 'IterML, one search with each model: ' || benchmark || ', ' || points || ' " \
    . "configurations' FROM tuner_trace LIMIT 1")
trace(m) = q(sprintf('SELECT sum(sampled) OVER (ORDER BY iteration), best FROM tuner_trace WHERE ' . traced, m))
set xlabel 'configurations measured so far; a point per iteration'
set ylabel 'best so far: fraction of the optimum'
plot [] [0:1.05] for [i = 1:5] trace(word(tuner_models, i)) with linespoints linestyle i title word(tuner_models, i), \
    0.95 linestyle 8 title 'Standards 1 and 2'
