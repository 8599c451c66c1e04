load 'style.gp'
set title 'Block copies between host and GPU'
variants = 'unoptimized optimized'
groups = fetch('SELECT DISTINCT trace FROM pinning_transfers_median ORDER BY 1')
copies(variant) = q("SELECT dense_rank() OVER (ORDER BY trace), CAST(copies AS INTEGER) FROM pinning_transfers_median WHERE variant = '" \
    . variant . "'")
@groups_x
set offsets graph 0, graph 0, graph 0.06, graph 0
set ylabel 'copies'
plot [] [0:*] for [i = 1:2] copies(word(variants, i)) \
         using (bar($1, i, 2)):2:(bar_width(2)) with boxes linestyle i title word(variants, i), \
     for [i = 1:2] copies(word(variants, i)) using (bar($1, i, 2)):2:2 @bar_labels
