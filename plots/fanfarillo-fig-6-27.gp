load 'style.gp'
load 'coarrays.gp'
@two_panels
variants = 'datamotion libcaf-mpi opencoarrays'
program = 'coarrays_burgers'; condition = "optimization = 'O0'"; value = '%s / steps'
@seconds_y; set logscale y
set yrange [decade_below(extreme('min', program, condition, value)):decade_above(extreme('max', program, condition, \
    value))]
set ylabel 'time per step'
do for [s in 'strong weak'] {
    where = condition . " AND scaling = '" . s . "'"
    groups = image_groups(program, where)
    @groups_x; set xlabel 'images'; set title 'Burgers, -O0, ' . s . ' (thesis: Edison)'
    plot for [i = 1:words(variants)] image_bars(program, where, value, word(variants, i)) @variant_bars \
        title s eq 'weak' ? '' : coarray_title(word(variants, i))
    unset ylabel
}
