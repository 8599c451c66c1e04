load 'style.gp'
set title 'Lattice QCD, largest data set: time over chunk size, by number of streams'
where(s) = "benchmark = 'qcd' AND variant = 'pipeline' AND streams = " . s
counts = fetch("SELECT DISTINCT streams FROM pipeline_chunk_size_median WHERE variant = 'pipeline' ORDER BY 1")
@linear_seconds_y
set logscale x 2
set xlabel 'chunk size (time slices)'
set ylabel 'time'
naive = number("SELECT min(time_s) FROM pipeline_chunk_size_median WHERE variant = 'naive'")
plot [] [0:] for [i = 1:words(counts)] series('pipeline_chunk_size', 'chunk_size', where(word(counts, i))) \
         with yerrorlines linestyle i title word(counts, i) . (word(counts, i) eq '1' ? ' stream' : ' streams'), \
     naive linestyle 8 title 'naive'
