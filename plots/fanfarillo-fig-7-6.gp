load 'style.gp'
set title 'Stealing of tasks (process) and of threads (thread), uneven tasks, little data'
variants = 'none process thread'
rows = 'FROM coarrays_stealing_median WHERE bytes = (SELECT min(bytes) FROM coarrays_stealing_median) AND skew = ' \
    . '(SELECT max(skew) FROM coarrays_stealing_median)'
set logscale x 2; set yrange [0:*]
@linear_seconds_y
set xlabel 'threads per image'
set ylabel 'time of all tasks'
plot q('SELECT 1.0 * cores / ranks, min(time_low_s) ' . rows . ' UNION ALL SELECT 1.0 * cores / ranks, ' \
    . 'max(time_high_s) ' . rows) \
         with lines linestyle 8 title 'limit: one thread per core', \
     for [i = 1:3] q('SELECT threads, time_s, time_low_s, time_high_s ' . rows . " AND variant = '" . word(variants, \
     i) . "' ORDER BY 1") \
         with yerrorlines linestyle int(word('7 1 2', i)) title word(variants, i)
