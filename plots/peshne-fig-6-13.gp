load 'style.gp'
set title 'Block copies between host and GPU'
variants = 'unoptimized optimized'
run = fetch("SELECT count(*) FROM pragma_table_info('prefetch_transfers_median') WHERE name = 'program'") > 0
both = 'SELECT 1 AS part, trace AS name, variant, copies FROM pinning_transfers_median' . (run \
    ? ' UNION ALL SELECT 2, program, variant, copies FROM prefetch_transfers_median' : '')
groups = fetch('SELECT DISTINCT name FROM (' . both . ') ORDER BY part, name')
copies(variant) = q('WITH both AS (' . both . '), ranked AS (SELECT dense_rank() OVER (ORDER BY part, name) AS ' \
    . 'place, variant, copies,' . " 1.0 * copies / max(copies) OVER (PARTITION BY name) AS share FROM both) SELECT " \
    . "place, share, CAST(copies AS INTEGER) FROM ranked WHERE variant = '" . variant . "'")
@groups_x
set ylabel 'copies / copies of the unoptimized version'
plot [] [0:1.15] for [i = 1:2] copies(word(variants, i)) using (bar($1, i, 2)):2:(bar_width(2)) with boxes linestyle i \
         title word(variants, i), for [i = 1:2] copies(word(variants, i)) using (bar($1, i, \
         2) + 0.2 * (i - 1.5)):2:3 @bar_labels
