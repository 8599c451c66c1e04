load 'style.gp'
load 'rdma.gp'
# What the thesis counts: variant, end (1 sender, 2 receiver) and copies. Page locking saves two sets of copies, which
# may be one or two at each end: both are drawn.
counts = "(VALUES ('staged-pageable', 1, 3), ('staged-pageable', 2, 3), ('staged', 1, 2), ('staged', 2, 2), " \
    . "('staged', 1, " \
    . "1), ('staged', 2, 1), ('cuda-aware', 1, 1), ('peer-copy', 1, 1), ('peer-store', 1, 1)) AS t"
set title 'Copies of a block on its way from the memory of a GPU to that of another'
roles = 'peers'
sides = 'sender receiver'
@copy_axes
plot [] [0:*] for [k = 1:2] copy_bars(roles, k) using (bar($1, k, 2)):2:(bar_width(2)) with boxes linestyle k \
    title word(sides, k), \
     for [k = 1:2] copy_bars(roles, k) using (bar($1, k, 2)):2:3 @bar_labels, \
     q('SELECT min(place), t.column2, t.column3 FROM ' . counts . ' JOIN ' . counted(roles) \
         . ' ON variant = t.column1 GROUP BY variant, 2, 3') \
         using (bar($1, $2, 2)):3:(bar_width(2)) @published_bars title 'thesis, both readings'
