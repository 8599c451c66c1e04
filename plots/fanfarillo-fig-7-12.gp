load 'style.gp'
set title 'Waiting at the end against communication, coarrays on one host'
# A time, scaled to 0 at its least and 1 at its largest.
scaled(column) = q('WITH size AS (SELECT per_request AS k, min(' . column . ') AS t FROM coarrays_pricing_median ' \
    . 'WHERE ' . "variant = 'caf-mt' AND progress = 'manual' AND per_request > 0 GROUP BY per_request), ends AS " \
    . "(SELECT min(t) AS low, " . 'max(t) AS high FROM size) SELECT k, (t - low) / (high - low) FROM size, ends ' \
    . 'ORDER BY 1')
set logscale x 2
set xlabel 'options per request of a CPU image'
set ylabel 'time, scaled to 0..1'
plot published_knee(thesis('fanfarillo-c-171', 1), 1) with lines linestyle 11 \
         title sprintf('thesis: at most %g', thesis('fanfarillo-c-171', 1)), \
     scaled('idle_s') with linespoints linestyle 1 title 'idle', \
     scaled('communication_s') with linespoints linestyle 2 title 'communication'
