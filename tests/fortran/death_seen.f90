! The last image is killed, and image 1 says how many milliseconds later it knows. For images of one machine, also on its
! virtual hosts: they read the same clock.
program death_seen
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: int64, stat_failed_image
    implicit none

    interface
        integer(c_int) function signal_self(number) bind(c, name='raise')
            import :: c_int
            integer(c_int), value :: number
        end function signal_self
    end interface

    integer(int64) :: died[*], now, rate
    integer :: code
    integer(c_int) :: ignored

    died = 0
    call system_clock(now, rate)
    sync all
    if (this_image() == num_images()) then
        call system_clock(now)
        died[1] = now
        sync images ([1])
        ignored = signal_self(9_c_int)
    end if
    if (this_image() == 1) sync images ([num_images()], stat=code)
    sync all (stat=code)
    call system_clock(now)
    if (code /= stat_failed_image) error stop 'no failure was seen'
    if (this_image() == 1) print '(a,f0.1,a)', 'seen after ', 1000.0*real(now - died)/real(rate), ' ms'
end program death_seen
