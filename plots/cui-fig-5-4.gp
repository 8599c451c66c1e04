load 'style.gp'
traced = "FROM tuner_trace WHERE variant = 'forest' AND cut_ratio = 0.5 AND pick_ratio = (SELECT max(pick_ratio) " \
    . "FROM tuner_trace)"
set title fetch("SELECT DISTINCT 'IterML with a forest, ' || benchmark || ': what each iteration leaves' " . traced)
parts = 'remaining_before sampled remaining_after'
part(column) = q('SELECT iteration, max(0.5, ' . column . ') ' . traced)
set logscale y
set xlabel 'iteration'
set ylabel 'configurations'
set xtics 1
plot [0.5:] [0.5:*] for [k = 1:3] part(word(parts, k)) using (bar($1, k, 3)):2 with points linestyle k pointsize 1.1 \
         title word("'before it' sampled 'left for the next'", k), \
     q('SELECT iteration, points * pow(1 - cut_ratio, iteration - 1) ' . traced) with linespoints linestyle 11 \
     title 'thesis: halved'
