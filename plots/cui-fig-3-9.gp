load 'style.gp'
set title 'Matrix multiplication: rate by size'
variants = 'naive block pipeline-buffer'
operations = '2.0 * size * size * size / '
set logscale y
set logscale x 2
set format y '%.0s %cflop/s'
set xlabel 'rows and columns'
set ylabel 'rate'
plot for [i = 1:3] q(sprintf("SELECT size, %s time_s, %s time_high_s, %s time_low_s FROM pipeline_matmul_median " \
    . "WHERE variant = '%s' ORDER BY 1", \
         operations, operations, operations, word(variants, i))) with yerrorlines linestyle i title word(variants, i)
