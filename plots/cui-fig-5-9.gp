load 'style.gp'
load 'tuner.gp'
set title 'Two products of matrices (2mm) over the thread block'
cells = block_cells('tuner_sweep', '2mm', 'share')
published_best = thesis_block('P100', '2mm')
set cblabel 'speed / best'
thesis = "thesis, P100: best with multiples of 16 in x,\nelse at most 0.6 of it"
@block_map
