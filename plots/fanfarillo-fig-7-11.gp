load 'style.gp'
load 'hetero.gp'
set title 'Each device alone, all of its threads, and both (thesis: CPU of 8 threads)'
versions = 'mt mo'; groups = "'CPU' 'GPU' 'CPU + GPU'"
# The best of the CPU, of the GPU, and their sum.
best(v) = q('WITH best AS (SELECT variant, 1e-9 * max(throughput_values) AS mid, 1e-9 * throughput_values * time_s / ' \
    . 'time_high_s AS low, 1e-9 * throughput_values * time_s / time_low_s AS high FROM coarrays_options_median WHERE ' \
    . '' . '' . "variant IN ('" . v . "-cpu', '" . v . "-gpu') GROUP BY variant) SELECT 1 + (substr(variant, 4) = " \
    . "'gpu'), mid, low, " . 'high FROM best UNION ALL SELECT 3, sum(mid), sum(low), sum(high) FROM best')
@points_x
@values_y
set logscale y; set yrange [*:*]
plot for [i = 1:2] best(word(versions, i)) using (bar($1, i, 2)):2:3:4 @measured_points linestyle i pointsize 1.1 \
    title word(versions, i), \
     for [i = 1:2] q("SELECT 1, billion_random_values_per_s FROM fanfarillo_inline_7_4_9_1 WHERE " \
     . "lower(implementation) = '" . word(versions, i) . "'") \
         using (bar($1, i, 2)):2 @published_points title i == 1 ? 'thesis' : ''
