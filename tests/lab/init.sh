#!/bin/busybox sh
# The machine's first process. It mounts what the host shares and then obeys the line from the host: each number that
# comes is a script /lab/commands/NUMBER.sh, run beside all others; its number and exit code go back.
/bin/busybox mkdir -p /busybox /proc /sys /tmp /run /etc /mnt /root /usr /lab /program
/bin/busybox --install -s /busybox
export PATH=/busybox
give_up() {
    echo "lab: $*"
    poweroff -f
}
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
while read -r module; do
    insmod "/modules/$module" || give_up "the module $module cannot be loaded"
done </modules/order
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=524288 usr /usr || give_up "/usr cannot be mounted"
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=524288 program /program ||
    give_up "the program's folder cannot be mounted"
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288 lab /lab || give_up "the lab's folder cannot be mounted"
rm -rf /bin
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "/$folder"; done
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
mkdir -p /dev/shm /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t devpts devpts /dev/pts
echo root:x:0:0:root:/root:/bin/sh >/etc/passwd
echo root:x:0: >/etc/group
ln -s /proc/self/mounts /etc/mtab
export PATH=/usr/sbin:/usr/bin:/busybox HOME=/root TERM=dumb LANG=C.UTF-8
# There is no udev to wait for or to make nodes.
export DM_DISABLE_UDEV=1
modprobe -a configfs 2>/dev/null && mount -t configfs configfs /sys/kernel/config

for port in /sys/class/virtio-ports/*; do
    [ "$(cat "$port/name")" = lab ] && line=/dev/${port##*/}
done
exec 3<>"$line" || give_up "no line to the host"
echo ready >&3
# The line ends when the host lets go of it, by intent or because it died; then the machine ends too. The reading shell
# has no children that end while it reads: the signal of such an end makes it forget what it has read of a line. So it
# is not the first process, which gets all orphans, and scripts are its grandchildren.
(
    while read -r number <&3; do
        (
            (
                cd /lab || exit
                # By its path, because busybox would be its own shell, with its own programs before the host's.
                /usr/bin/sh "/lab/commands/$number.sh" </dev/null >"/lab/commands/$number.out" 2>"/lab/commands/$number.err" 3>&-
                echo "$number $?" >&3
            ) &
        )
    done
)
poweroff -f
