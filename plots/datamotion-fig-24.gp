load 'style.gp'
load 'coarrays.gp'
experiments = measured('coarrays_collective coarrays_collective_4 coarrays_collective_16')
size = "CAST(parameter(parameters, 'size_bytes') AS INTEGER)"
low = 4; high = 2**25
@bytes_x; @two_panels
set xlabel 'bytes of each image'
set ylabel 'time / time of MPI'
beside(e, o) = pick(size . ', value, low, high', of(e, 'coarrays_ratios'), \
    "a = 'datamotion-c' AND b = 'mpi-c' AND operation = '" . o . "'")
images(e) = fetch("SELECT max(ranks) FROM " . e . '_median') . ' images'
do for [o in 'sum broadcast'] {
    set title o; aim = aim('datamotion-c-071/' . o)
    plot [] [0:*] for [i = 1:words(experiments)] beside(word(experiments, i), o) with yerrorlines linestyle i \
        title o eq 'sum' ? images(word(experiments, i)) : '', aim linestyle 8 title o eq 'sum' ? 'aim' : ''
    unset ylabel
}
