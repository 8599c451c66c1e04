load 'style.gp'
load 'rdma.gp'
set title 'Copies of a block between a worker with a GPU and a server without one'
roles = 'server'
sides = "'GET: server' 'GET: worker' 'PUT: worker' 'PUT: server'"
@copy_axes
plot [] [0:*] for [k = 1:4] copy_bars(roles, k) using (bar($1, k, 4)):2:(bar_width(4)) with boxes linestyle k \
    title word(sides, k), \
     for [k = 1:4] copy_bars(roles, k) using (bar($1, k, 4)):2:3 @bar_labels
