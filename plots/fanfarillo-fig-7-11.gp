load 'style.gp'
load 'hetero.gp'
set title 'Each device alone, all of its threads, and both (thesis: CPU of 8 threads)'
versions = 'mt mo'; groups = "'CPU' 'GPU' 'CPU + GPU'"
# The best of the CPU, of the GPU, and their sum.
best(v) = q("SELECT n, sum(mid) / 1e9, sum(low) / 1e9, sum(high) / 1e9 FROM coarrays_option_best, (SELECT 1 AS n, " \
    . "'-cpu' AS part UNION ALL SELECT 2, '-gpu' UNION ALL SELECT 3, '-_pu') WHERE variant LIKE '" . v . \
    "' || part GROUP BY n")
@points_x
@values_y
set logscale y; set yrange [*:*]
plot for [i = 1:2] best(word(versions, i)) using (bar($1, i, 2)):2:3:4 @measured_points linestyle i pointsize 1.1 \
    title word(versions, i), \
     for [i = 1:2] q("SELECT 1, billion_random_values_per_s FROM fanfarillo_inline_7_4_9_1 WHERE " \
     . "lower(implementation) = '" . word(versions, i) . "'") \
         using (bar($1, i, 2)):2 @published_points title i == 1 ? 'thesis' : ''
