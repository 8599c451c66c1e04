load 'style.gp'
load 'partition.gp'
set title 'Two launches on one device: B reads what A wrote there'
example = 'fig8'
devices = 1
@access_rows
