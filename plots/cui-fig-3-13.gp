load 'style.gp'
variants = 'pipeline um um-prefetch'
rounds = fetch('SELECT max(rounds) FROM unified_memory_rounds_median')
set title sprintf('Convolution in 3D: what moves in %s rounds (thesis: Tesla P100)', rounds)
groups = "'to the device' 'from the device'"
@groups_x
set format y '%.1s %cB'
set ylabel 'bytes moved'
moved(column, v) = sprintf("SELECT '%s' = 'from', bytes_%s_device FROM unified_memory_rounds_median WHERE variant = " \
    . "'%s' AND rounds = %s", column, column, v, rounds)
plot [] [0:] for [i = 1:words(variants)] q(moved('to', word(variants, i)) . ' UNION ALL ' . moved('from', \
    word(variants, i))) \
    using (bar($1 + 1, i, words(variants))):2:(bar_width(words(variants))) with boxes linestyle (i == 1 ? 2 \
    : i + 2) title word(variants, i)
