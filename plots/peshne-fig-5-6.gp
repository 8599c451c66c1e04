load 'style.gp'
load 'rdma.gp'
# What the thesis counts: variant, end (1 sender, 2 receiver) and copies. Page locking saves two sets of copies, which
# may be one or two at each end: both are drawn.
all = thesis('peshne-c-075', 1); saved = thesis('peshne-c-076', 1); rdma = thesis('peshne-c-077', 1)
counts = sprintf("(VALUES ('staged-pageable', 1, %d), ('staged-pageable', 2, %d), ('staged', 1, %d), ('staged', 2, " \
    . "%d), ", all, all, all - saved / 2, all - saved / 2) . sprintf("('staged', 1, %d), ('staged', 2, %d), " \
    . "('cuda-aware', 1, %d), ('peer-copy', 1, %d), ('peer-store', 1, %d)) AS t", all - saved, all - saved, rdma, \
    rdma, rdma)
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
