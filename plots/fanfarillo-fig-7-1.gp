load 'style.gp'
set title 'SUMMA by memory of its coarrays (thesis: K20, 4096 x 4096)'
set logscale x 2; set yrange [0:*]
@seconds_y
set xlabel 'images'
set ylabel 'time of a product'
plot [0.9:*] for [v in hetero_variants] summa_times(v) with yerrorlines linestyle hetero_line(v) title v
