! coarrays_heat.f90: heat in a rod that is divided among images; each gets its neighbours' edges.
!
! Build: caf -O2 coarrays_heat.f90 -o coarrays_heat
! Run: cafrun -np 4 ./coarrays_heat
! Prints: 4 images, 100 steps: the heat is 1.000
program heat
    implicit none
    integer, parameter :: cells = 16, steps = 100
    real(8) :: rod(0:cells + 1)[*], next(cells), total
    integer :: me, left, right, step

    me = this_image()
    left = merge(num_images(), me - 1, me == 1)
    right = merge(1, me + 1, me == num_images())
    rod = 0
    if (me == 1) rod(cells/2) = 1
    sync all
    do step = 1, steps
        rod(0) = rod(cells)[left]
        rod(cells + 1) = rod(1)[right]
        next = rod(1:cells) + 0.25d0*(rod(0:cells - 1) - 2*rod(1:cells) + rod(2:cells + 1))
        sync all   ! nobody reads the old edges any more
        rod(1:cells) = next
        sync all
    end do
    total = sum(rod(1:cells))
    call co_sum(total, result_image=1)
    if (me == 1) print '(i0, a, i0, a, f5.3)', num_images(), ' images, ', steps, ' steps: the heat is ', total
end program heat
