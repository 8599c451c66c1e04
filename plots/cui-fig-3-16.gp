load 'style.gp'
load 'unified_memory.gp'
variants = 'naive naive-um naive-um-prefetch block block-um block-um-prefetch framework'
set title 'Matrix product: time relative to framework (thesis: Tesla P100)'
groups = unified_groups('unified_memory_matmul', 'share_of_capacity', 'rounds = 1', '%.2g')
@groups_x
set xtics rotate by 0
set xlabel 'size of the data / device memory'
set ylabel 'time / time of framework'
plot [] [0:] for [i = 1:words(variants)] beside_framework('unified_memory_matmul', 'rounds = 1', word(variants, i)) \
    using (bar($1, i, words(variants))):2:3:4:(bar_width(words(variants))) @measured_bars linestyle i \
    title word(variants, i)
