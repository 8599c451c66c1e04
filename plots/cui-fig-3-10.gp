load 'style.gp'
set title 'Matrix multiplication: device memory ' . fetch("SELECT iif(count(used_bytes), 'in use', 'of the " \
    . "matrices') FROM pipeline_matmul_median")
variants = 'naive block pipeline-buffer'
set logscale y
set logscale x 2
set xlabel 'rows and columns'
set ylabel 'device memory (MB)'
plot for [i = 1:3] q(sprintf("SELECT size, 1e-6 * coalesce(used_bytes, device_bytes) FROM pipeline_matmul_median " \
    . "WHERE variant = '%s' ORDER BY 1", \
         word(variants, i))) with linespoints linestyle i linewidth 5.2-1.2*i pointsize 1.5-0.25*i \
         title word(variants, i), \
     q("SELECT size, 1e-6 * footprint_bytes FROM pipeline_matmul WHERE outcome <> 'ok' ORDER BY 1") with points \
     linestyle 11 title 'does not fit as a whole'
