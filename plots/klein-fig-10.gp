load 'style.gp'
set title 'Mesh refinement on three devices: each launch writes a window'
example = 'fig10'
@refinement_rows
