load 'style.gp'
load 'unified_memory.gp'
variants = 'naive pipeline framework um um-prefetch'
set title 'Convolution in 3D whose rounds exchange input and output: time of a round (thesis: Tesla P100)'
groups = unified_groups('unified_memory_rounds', 'rounds', 'true', '%d')
@groups_x
@linear_seconds_y
set xlabel 'rounds in one run'
set ylabel 'time / rounds'
plot [] [0:] for [i = 1:words(variants)] pick('place, ' . timed('%s / rounds'), \
    unified_rows('unified_memory_rounds_median', 'rounds', 'true'), "variant = '" . word(variants, i) . "'") \
    using (bar($1, i, words(variants))):2:3:4:(bar_width(words(variants))) @measured_bars linestyle i \
    title word(variants, i)
