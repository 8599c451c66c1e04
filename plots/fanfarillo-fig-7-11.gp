load 'style.gp'
set title 'Each device alone, all of its threads, and both (thesis: CPU of 8 threads)'
versions = 'mt mo'; groups = "'CPU' 'GPU' 'CPU + GPU'"
@groups_x
@values_y
set logscale y; set yrange [*:*]
plot for [i = 1:2] device_rates(word(versions, i)) using (bar($1, i, 2)):2:3:4:(bar_width(2)) @measured_bars linestyle i title word(versions, i), \
     for [i = 1:2] q("SELECT 1, billion_random_values_per_s FROM fanfarillo_inline_7_4_9_1 WHERE lower(implementation) = '" . word(versions, i) . "'") \
         using (bar($1, i, 2)):2:(bar_width(2)) @published_bars title i == 1 ? 'thesis' : ''
