load 'style.gp'
set title 'Copies of a block on its way from the memory of a GPU to that of another'
roles = 'peers'
sides = 'sender receiver'
@copy_axes
plot [] [0:*] for [k = 1:2] copy_bars(roles, k) using (bar($1, k, 2)):2:(bar_width(2)) with boxes linestyle k title word(sides, k), \
     for [k = 1:2] copy_bars(roles, k) using (bar($1, k, 2)):2:3 @bar_labels, \
     q(published_copies . counted(roles) . ' USING (variant) GROUP BY variant, side, copies') \
         using (bar($1, $2, 2)):3:(bar_width(2)) @published_bars title 'thesis, both readings'
